// What travels beside TLM's generic payload: a line's number at its miss port, and what the machine says of its way.
//
// An ignorable extension (IEEE 1666-2011, 14.21.1): a target that does not know it answers a tile as well; the tile
// then sees no miss of the last-level cache.
#ifndef TIPOFF_HARNESS_SYSTEMC_LINE_H
#define TIPOFF_HARNESS_SYSTEMC_LINE_H

#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

namespace tipoff {

struct line_extension : tlm::tlm_extension<line_extension> {
    unsigned id = 0;       // of the request, at its port
    bool llc_miss = false; // of the response: the last-level cache missed, too

    tlm::tlm_extension_base *clone() const override { return new line_extension(*this); }
    void copy_from(const tlm::tlm_extension_base &other) override {
        *this = static_cast<const line_extension &>(other);
    }
};

// Transactions with their data: a line, or a word of a device. Those that are over are used again.
class transactions : public tlm::tlm_mm_interface {
  public:
    enum { LINE = 64 };

    ~transactions() override {
        for (tlm::tlm_generic_payload *t : all) {
            t->clear_extension<line_extension>(); // a member of it
            delete static_cast<transaction *>(t);
        }
    }

    // One reference is the caller's. Data are the payload's own.
    tlm::tlm_generic_payload *make(tlm::tlm_command command, uint64_t address, unsigned bytes, unsigned id) {
        if (idle.empty()) {
            idle.push_back(new transaction(this));
            all.push_back(idle.back());
        }
        tlm::tlm_generic_payload *t = idle.back();
        idle.pop_back();
        t->acquire();
        t->set_command(command);
        t->set_address(address);
        t->set_data_length(bytes);
        t->set_streaming_width(bytes);
        t->set_byte_enable_ptr(nullptr);
        t->set_dmi_allowed(false);
        t->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        *t->get_extension<line_extension>() = line_extension();
        t->get_extension<line_extension>()->id = id;
        return t;
    }

    void free(tlm::tlm_generic_payload *t) override { idle.push_back(t); }

  private:
    struct transaction : tlm::tlm_generic_payload {
        explicit transaction(tlm::tlm_mm_interface *owner) : tlm::tlm_generic_payload(owner) {
            set_data_ptr(bytes);
            set_extension(&beside);
        }
        unsigned char bytes[LINE] = {};
        line_extension beside;
    };
    std::vector<tlm::tlm_generic_payload *> all, idle;
};

} // namespace tipoff

#endif
