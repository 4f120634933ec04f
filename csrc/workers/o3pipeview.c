// Every instruction's way as gem5's O3PipeView has it (src/cpu/o3/dyn_inst.cc), for its o3-pipeview.py, for Konata and
// for `tipoff import`: those too that were fetched and never dispatched. Seven lines an instruction, as it leaves; a
// squashed one retires at tick 0. The stages of this core: decode, rename and dispatch are one.
#include "base/output.h"
#include "isa/disasm.h"
#include "oracle/lives.h"
#include "trace/region.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { KEY_FILE, KEY_FROM, KEY_TO };
enum { TICKS = 1000 }; // of a cycle; cycle 0 begins at the first, since tick 0 means never

struct ways {
    const char *path;
    FILE *file;
    struct disasm *disasm;
    struct lives *lives;
    struct trace_region region;
    const struct worker_view *view;
};

static uint64_t tick(uint64_t cycle) {
    return cycle == LIFE_NEVER ? 0 : (cycle + 1) * TICKS;
}

static int left(void *context, const struct life *l, unsigned lane, struct error *err) {
    struct ways *w = context;
    char text[96];
    (void)err;
    if (!trace_region_holds(&w->region, w->view->cycle)) return 0;
    disasm_text(w->disasm, l->pc, l->insn, text, sizeof text);
    fprintf(w->file, "O3PipeView:fetch:%" PRIu64 ":0x%08" PRIx64 ":0:%" PRIu64 ":%s\n", tick(l->fetched), l->pc,
            l->number, text);
    static const char *const mapped[] = {"decode", "rename", "dispatch"};
    for (size_t i = 0; i < sizeof mapped / sizeof *mapped; i++)
        fprintf(w->file, "O3PipeView:%s:%" PRIu64 "\n", mapped[i], tick(l->mapped));
    fprintf(w->file, "O3PipeView:issue:%" PRIu64 "\nO3PipeView:complete:%" PRIu64 "\n", tick(l->issued), tick(l->done));
    fprintf(w->file, "O3PipeView:retire:%" PRIu64 ":store:0\n", lane < MAX_LANES ? tick(l->left) : 0);
    return 0;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct ways *w = state;
    w->view = v;
    const int result = lives_cycle(w->lives, v->cycle, v->count, v->bundle, v->life, err);
    for (unsigned lane = 0; v->bundle->commit >> lane; lane++)
        if (v->bundle->commit & v->bundle->first & 1u << lane)
            trace_region_commit(&w->region, v->cycle, v->bundle->pc[lane]);
    if (result < 0 || !ferror(w->file)) return result;
    error_set(err, "%s: cannot be written: free some space, or name another file", w->path);
    return -EIO;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t now, bool taken) {
    (void)bundle;
    if (taken) trace_region_sample(&((struct ways *)state)->region, now);
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct ways *w = state;
    FILE *file = w->file;
    (void)cycles;
    w->file = NULL;
    return output_stream_close(file, w->path, err);
}

static void destroy(void *state) {
    struct ways *w = state;
    if (w->file) fclose(w->file);
    lives_destroy(w->lives);
    disasm_destroy(w->disasm);
    free(w);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct ways *w = error_calloc(sizeof *w, "o3pipeview", err);
    if (!w) return NULL;
    w->path = values[KEY_FILE].text;
    if (trace_region_parse(&w->region, "trace", values[KEY_FROM].text, values[KEY_TO].text, POSITIONS_SEEN, run->image,
                           err) == 0)
        w->lives = lives_create(run->width, run->fetch_width, left, w, err);
    if (w->lives) w->disasm = disasm_create(err);
    if (w->disasm) w->file = output_stream(w->path, err);
    if (w->file) return w;
    destroy(w);
    return NULL;
}

const struct worker_ops worker_o3pipeview = {
    .name = "o3pipeview",
    .text = "every instruction's way as gem5's O3PipeView, for o3-pipeview.py, Konata and tipoff import",
    .needs = DPI_BUNDLE | DPI_LIFE,
    .keys = {{.name = "file", .kind = WORKER_FILE, .text = "output file"},
             {.name = "from", .kind = WORKER_EDGE, .text = "first cycle in which instructions that leave are written"},
             {.name = "to", .kind = WORKER_EDGE, .text = "last cycle of those"}},
    .create = create,
    .cycle = cycle,
    .sample = sample,
    .finish = finish,
    .destroy = destroy};
