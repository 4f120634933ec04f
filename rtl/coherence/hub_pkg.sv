// What the L1 data caches and the hub send each other, and the protocol that both keep (docs/reference/coherence.md).
//
//   tile -- request: GET, OWN, TRYGET, IGET -------------------------------> hub
//        -- up: PUT (a dirty victim) and ACK of a snoop, in one order ------>
//        <- down: SHARE, INVAL, TRY, PEEK and PUT_ACK, in one order ---------
//        <- answer ----------------------------------------------------------
//        -- done: the line is written into the cache ----------------------->
//
// No channel has a ready wire. A request's number is free again with its answer, a victim's with its PUT_ACK, and a
// transaction sends one snoop to each cache: so each receiver knows the most that can be on its way to it.
//
// A tile has one request of a line open at a time, of data or instructions: an OWN that hands over dirty data would
// else pass an IGET, and the hub does not snoop who asks.
package hub_pkg;
  import line_pkg::*;

  typedef logic [57:0] line_t;  // a physical address without the bits inside a line
  typedef logic [4:0] tag_t;    // of a request, a victim or a transaction: comes back to whoever sent it
  localparam int unsigned MostTransactions = 16;  // of a hub: a cache has room for as many snoops

  typedef enum logic [1:0] {
    HUB_GET,     // load, walk: a copy, exclusive where nobody keeps one
    HUB_OWN,     // store, AMO, LR: the only copy
    HUB_TRYGET,  // hardware prefetch: as GET, but refused where another cache has the line exclusively
    HUB_IGET     // instruction miss: the data, and no copy in any sense of the protocol
  } hub_request_e;
  typedef enum logic [2:0] {
    HUB_SHARE,    // give dirty data, keep a shared copy
    HUB_INVAL,    // give dirty data, keep nothing
    HUB_TRY,      // refuse where the line is held exclusively or waits for PUT_ACK; else as SHARE
    HUB_PEEK,     // give dirty data, change nothing
    HUB_PUT_ACK   // the victim's data are safe: its entry is free
  } hub_down_e;

  typedef struct packed {
    logic valid;
    hub_request_e kind;
    tag_t id;
    line_t line;
  } hub_request_t;

  typedef struct packed {
    logic valid;
    logic put;        // else ACK
    tag_t tag;        // of the victim, or of the transaction whose snoop this answers
    line_t line;
    logic has;        // data come with it: a PUT without has been made void by a snoop since it was sent
    logic keeps;      // ACK: a copy stays
    logic gave;       // ACK: a copy went, or is no longer exclusive
    logic refuses;    // ACK of a TRY
    logic [LineBits-1:0] data;
  } hub_up_t;

  typedef struct packed {
    logic valid;
    hub_down_e kind;
    tag_t tag;
    line_t line;
  } hub_down_t;

  typedef struct packed {
    logic valid;
    tag_t id;          // of the request
    tag_t transaction; // for `done`
    logic exclusive;   // no other copy
    logic dirty;       // memory does not have these data: the copy is modified
    logic peer;        // it took another cache's data or copy
    logic llc_miss;
    logic error;       // no line, and no `done`
    logic refused;     // TRYGET: no line, and no `done`
    logic [LineBits-1:0] data;
  } hub_answer_t;

  typedef struct packed {
    logic valid;
    tag_t transaction;
  } hub_done_t;

  // ---- all of a tile ----
  typedef struct packed {
    hub_request_t request;
    hub_up_t up;
    hub_done_t done;
  } hub_out_t;
  typedef struct packed {
    hub_down_t down;
    hub_answer_t answer;
  } hub_in_t;

  // ---- inside the hub ----
  localparam int unsigned HartBits = 4;
  typedef logic [HartBits-1:0] hart_t;
  typedef struct packed {  // a request that may begin
    logic valid;
    hub_request_e kind;
    hart_t hart;
    tag_t id;
    line_t line;
  } hub_next_t;
  typedef struct packed {  // data for memory
    logic valid;
    line_t line;
    logic [LineBits-1:0] data;
  } hub_write_t;

  function automatic hub_down_e snoop_of(input hub_request_e kind);
    unique case (kind)
      HUB_GET: snoop_of = HUB_SHARE;
      HUB_OWN: snoop_of = HUB_INVAL;
      HUB_TRYGET: snoop_of = HUB_TRY;
      default: snoop_of = HUB_PEEK;
    endcase
  endfunction
endpackage
