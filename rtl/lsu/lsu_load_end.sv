// How the load in M1 of one cache port ends. Combinational.
//
// A hint is done. Else in this order: exception; device (as the oldest instruction only); data of the youngest older
// store that meets it, if it has them; the cache; a miss.
module lsu_load_end
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic load_i,             // alive, first try or retry
  input  logic device_end_i,       // alive, a device load gets its data
  input  logic exception_i,
  input  cause_t cause_i,
  input  logic device_i,
  input  word_t addr_i,
  input  load_info_t info_i,
  // store queue
  input  logic sq_full_i,
  input  logic sq_part_i,
  input  sq_idx_t sq_i,
  input  word_t sq_word_i,
  // cache
  input  logic hit_i,
  input  word_t cache_word_i,
  input  logic miss_join_i,
  input  mshr_t miss_id_i,
  input  logic miss_full_i,
  input  word_t dev_data_i,
  output load_result_t result_o,   // to the load queue
  output mem_done_t done_o
);
  result_e result;
  logic at_once, done, miss;  // at_once: whatever queue and cache say
  word_t word;
  assign at_once = device_end_i || exception_i || info_i.hint;
  assign done = at_once || (!device_i && (sq_full_i || (!sq_part_i && hit_i)));  // the wakes depend on it

  always_comb begin
    miss = 1'b0;
    if (done) result = RES_DONE;
    else if (device_i) result = RES_DEVICE;
    else if (sq_part_i) result = RES_STORE;
    else begin
      miss = 1'b1;
      if (miss_join_i) result = RES_MISS;
      else result = miss_full_i ? RES_FULL : RES_RETRY;
    end

    if (device_end_i) word = dev_data_i << {addr_i[2:0], 3'd0};
    else word = sq_full_i ? sq_word_i : cache_word_i;
  end

  assign result_o = '{
    valid: load_i || device_end_i,
    lq: info_i.lq,
    result: result,
    mshr: miss_id_i,
    fwd: result == RES_DONE && sq_full_i,
    sq: sq_i,
    missed: miss
  };

  always_comb begin
    done_o = '{
      valid: (load_i || device_end_i) && done,
      rob: info_i.rob,
      pd_valid: info_i.pd_valid && !exception_i,
      pd: info_i.pd,
      data: load_value(word, addr_i[2:0], info_i.size, info_i.uns, info_i.box),
      exception: (load_i || device_end_i) && exception_i && !info_i.hint,  // done then, whatever queue and cache say
      cause: cause_i,
      tval: virtual_address(addr_i, info_i)
    };
  end
endmodule
