// Waveforms (FST) of a model, for model_shim.cpp: a model that was built without them (VM_TRACE_FST) opens none.
#ifndef TIPOFF_HARNESS_MODEL_WAVES_H
#define TIPOFF_HARNESS_MODEL_WAVES_H

#include "Vsim_top.h"
#include "harness/fst_file.h"
#include <cerrno>
#include <cstdint>

#if VM_TRACE_FST

#include "verilated_fst_c.h"
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <string>

static const bool CAN_DUMP = true;

struct waves {
    VerilatedFstC *fst;
    std::string path;
    int fault; // they cannot be written: negative errno
};

// The writer of waveforms maps its files. Where the disk is full, touching such a page raises SIGBUS: the only way to
// hear of it. Then the writer is left as it is, never to be called again.
//
// A process has one handler of a signal, whatever the number of models; but such a fault comes to the thread that
// touches the page. So each thread knows its own write, and the handler stays once installed: models end in
// any order. What is no write of waveforms goes to the handler before it.
static thread_local sigjmp_buf *no_page; // NULL: this thread writes none
static std::mutex handler;
static struct sigaction bus_before;

static void on_bus(int number, siginfo_t *info, void *machine) {
    if (no_page) siglongjmp(*no_page, 1);
    if (bus_before.sa_flags & SA_SIGINFO) {
        bus_before.sa_sigaction(number, info, machine);
    } else if (bus_before.sa_handler != SIG_DFL && bus_before.sa_handler != SIG_IGN) {
        bus_before.sa_handler(number);
    } else {
        sigaction(SIGBUS, &bus_before, nullptr);
        raise(number);
    }
}

static void handle_bus() {
    struct sigaction now = {}, action = {};
    const std::lock_guard<std::mutex> one(handler);
    action.sa_sigaction = on_bus;
    action.sa_flags = SA_NODEFER | SA_SIGINFO;
    sigaction(SIGBUS, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_bus) return; // not before itself
    bus_before = now;
    sigaction(SIGBUS, &action, nullptr);
}

// Calls write(); false: it ran into a page without space on the disk.
template <typename F> static bool guarded(const F &write) {
    sigjmp_buf here;
    if (sigsetjmp(here, 1)) {
        no_page = nullptr;
        return false;
    }
    no_page = &here;
    write();
    no_page = nullptr;
    return true;
}

static void waves_give_up(waves *w, int fault) {
    w->fst = nullptr; // not deleted: it would write
    w->fault = fault;
    fst_file_remove(w->path.c_str());
}

static inline bool waves_on(const waves *w) {
    return w->fst != nullptr;
}

static inline void waves_dump(waves *w, uint64_t time) {
    if (w->fst) w->fst->dump(time);
}

static int waves_close(waves *w) {
    if (!w->fst) return w->fault;
    if (!guarded([w] { w->fst->close(); })) {
        waves_give_up(w, -ENOSPC);
        return w->fault;
    }
    delete w->fst;
    w->fst = nullptr;
    w->fault = fst_file_check(w->path.c_str());
    if (w->fault) fst_file_remove(w->path.c_str());
    return w->fault;
}

static int waves_open(waves *w, Vsim_top *top, const char *path) {
    waves_close(w);
    w->path = path;
    w->fault = fst_file_creatable(path);
    if (w->fault) return w->fault;
    handle_bus();
    w->fst = new VerilatedFstC;
    top->trace(w->fst, 99);
    if (!guarded([w] { w->fst->open(w->path.c_str()); })) waves_give_up(w, -ENOSPC);
    if (w->fst && !w->fst->isOpen()) waves_give_up(w, -EIO);
    return w->fault;
}

// Calls run(), which dumps.
template <typename F> static void waves_run(waves *w, const F &run) {
    if (!w->fst) {
        run();
        return;
    }
    bool room = guarded(run);
    if (room) room = fst_file_has_room(w->path.c_str());
    if (!room) waves_give_up(w, -ENOSPC);
}

#else

static const bool CAN_DUMP = false;

struct waves {
    int fault;
};

static inline bool waves_on(const waves *) {
    return false;
}

static inline void waves_dump(waves *, uint64_t) {}

static int waves_close(waves *w) {
    return w->fault;
}

static int waves_open(waves *w, Vsim_top *, const char *) {
    return w->fault = -ENOTSUP;
}

template <typename F> static void waves_run(waves *, const F &run) {
    run();
}

#endif
#endif
