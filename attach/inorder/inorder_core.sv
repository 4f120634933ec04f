// An in-order core of two instructions a cycle, to attach the profiling units to: RV64IM, machine mode, one AXI4 port.
//
//   fetch -> issue -> execute -> scoreboard -> commit, from [0] the oldest
//            |___________________^  (enters it when issued)
//
// Unlike ours in all that matters to an adapter: commit ports in the order of age instead of banks; issue slots by
// address, where the second may issue alone; entries that are dead stay visible while they are given back, one a
// cycle. It knows nothing of the units.
module inorder_core
  import inorder_pkg::*;
  import attach_axi_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  word_t      reset_pc_i,
  input  logic [2:0] lines_i,   // interrupts: external, timer, software
  output axi_req_t   axi_o,
  input  axi_resp_t  axi_i,
  output probe_t     probe_o
);
  window_t window;
  packet_t packet;
  resolved_t resolved, learns;
  execute_t [1:0] issued, execute_q, execute;
  entry_t [1:0] entry, oldest;
  done_t [1:0] done;
  done_t late, loaded;
  logic packet_valid, packet_done, unwinding, kill, redirect, wrong_first, long_busy, load_busy, load_device,
      load_missed, load;
  logic [1:0] waiting, issue, retire, flush;
  logic trap, csr_interrupt, interrupt, csr_there, store_room, stores_empty, fetched;
  logic [5:0] trap_cause, interrupt_cause;
  word_t redirect_pc, vector, returns, csr_read, fetched_pc;
  word_t regs_q [32];
  execute_t loads;

  // ---- fetch ----
  logic fetch_miss, fetch_fill;
  word_t fetch_line;
  logic [511:0] fetch_data;
  assign redirect = kill || resolved.wrong;
  always_comb begin
    redirect_pc = resolved.target;
    if (kill) redirect_pc = trap ? vector : oldest[0].kind == MRET ? returns : oldest[0].pc + 64'd4;
  end
  inorder_fetch u_fetch (
    .clk_i, .rst_ni, .reset_pc_i, .redirect_i(redirect), .redirect_pc_i(redirect_pc),
    .invalidate_i(retire[0] && oldest[0].kind == FENCE_I), .resolved_i(learns), .miss_o(fetch_miss),
    .miss_line_o(fetch_line), .fill_i(fetch_fill), .fill_data_i(fetch_data),
    .valid_o(packet_valid), .packet_o(packet), .ready_i(packet_done), .fetched_o(fetched), .fetched_pc_o(fetched_pc)
  );

  // ---- issue ----
  inorder_issue u_issue (
    .clk_i, .rst_ni, .blocked_i(unwinding || redirect), .redirect_i(redirect), .packet_valid_i(packet_valid),
    .packet_i(packet), .packet_done_o(packet_done), .window_i(window), .done_i(done), .regs_i(regs_q),
    .long_busy_i(long_busy), .load_busy_i(load_busy), .waiting_o(waiting), .issue_o(issue), .execute_o(issued),
    .entry_o(entry)
  );
  always_ff @(posedge clk_i) begin
    execute_q <= issued;
    if (!rst_ni) {execute_q[1].valid, execute_q[0].valid} <= '0;
  end

  // ---- execute ----
  always_comb begin
    execute = execute_q;
    if (kill) {execute[1].valid, execute[0].valid} = '0;
  end
  always_comb begin
    loads = execute[0].valid && execute[0].d.kind == LOAD ? execute[0] : execute[1];
    load = execute[0].valid && execute[0].d.kind == LOAD ? !done[0].fault
           : execute[1].valid && execute[1].d.kind == LOAD && !wrong_first && !done[1].fault;
  end
  inorder_execute u_execute (
    .clk_i, .rst_ni, .kill_i(kill), .execute_i(execute), .done_o(done), .late_o(late), .busy_o(long_busy),
    .resolved_o(resolved), .wrong_first_o(wrong_first)
  );
  always_ff @(posedge clk_i) begin
    learns <= resolved;
    if (!rst_ni) learns.valid <= 1'b0;
  end

  // ---- memory ----
  logic read, read_single, read_done, write_done;
  word_t read_address;
  logic [2:0] read_size;
  logic [511:0] read_data;
  store_t store, write;
  assign store = '{valid: retire[0] && oldest[0].kind == STORE, address: oldest[0].address, data: oldest[0].result,
                   size: {1'b0, oldest[0].op[1:0]}};
  inorder_lsu u_lsu (
    .clk_i, .rst_ni, .kill_i(kill), .load_i(load), .load_place_i(loads.place), .load_address_i(loads.a + loads.d.imm),
    .load_op_i(loads.d.op), .head_i(window.head[2:0]), .done_o(loaded), .busy_o(load_busy), .device_o(load_device),
    .missed_o(load_missed), .store_i(store), .room_o(store_room), .empty_o(stores_empty), .read_o(read),
    .read_single_o(read_single), .read_address_o(read_address), .read_size_o(read_size), .read_done_i(read_done),
    .read_data_i(read_data), .write_o(write), .write_done_i(write_done)
  );
  inorder_bus u_bus (
    .clk_i, .rst_ni, .fetch_i(fetch_miss), .fetch_line_i(fetch_line), .fetch_done_o(fetch_fill),
    .fetch_data_o(fetch_data), .load_i(read), .load_single_i(read_single), .load_address_i(read_address),
    .load_size_i(read_size), .load_done_o(read_done), .load_data_o(read_data), .store_i(write),
    .store_done_o(write_done), .axi_o, .axi_i
  );

  // ---- commit ----
  assign interrupt = csr_interrupt && !load_device;
  inorder_scoreboard u_scoreboard (
    .clk_i, .rst_ni, .issue_i(issue), .entry_i(entry), .done_i({loaded, late, done}), .resolved_i(resolved),
    .resolved_place_i(wrong_first ? execute[0].place : execute[1].place), .interrupt_i(interrupt),
    .interrupt_cause_i(interrupt_cause), .csr_there_i(csr_there), .store_room_i(store_room),
    .stores_empty_i(stores_empty), .window_o(window), .unwinding_o(unwinding),
    .oldest_o(oldest), .retire_o(retire), .flush_o(flush), .trap_o(trap), .trap_cause_o(trap_cause), .kill_o(kill)
  );
  inorder_csr u_csr (
    .clk_i, .rst_ni, .insn_i(oldest[0].insn), .operand_i(oldest[0].result), .read_o(csr_read), .there_o(csr_there),
    .commit_i(retire[0] && oldest[0].kind == CSR), .retire_i(retire), .mret_i(retire[0] && oldest[0].kind == MRET),
    .trap_i(trap), .trap_interrupt_i(interrupt), .trap_cause_i(trap_cause), .trap_pc_i(oldest[0].pc),
    .trap_value_i(interrupt ? '0 : oldest[0].fault ? oldest[0].address
                  : oldest[0].kind == ILLEGAL || oldest[0].kind == CSR ? {32'b0, oldest[0].insn} : '0),
    .lines_i, .interrupt_o(csr_interrupt), .interrupt_cause_o(interrupt_cause), .vector_o(vector), .return_o(returns)
  );
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 2; i++)
      if (retire[i] && oldest[i].writes) regs_q[oldest[i].rd] <= oldest[i].kind == CSR ? csr_read : oldest[i].result;
    if (!rst_ni) for (int i = 0; i < 32; i++) regs_q[i] <= '0;
  end

  // ---- what it shows ----
  always_comb begin
    probe_o.occupied = {window.count > 4'd1, window.count != '0};
    probe_o.finished = probe_o.occupied & {window.done[window.head[2:0] + 3'd1], window.done[window.head[2:0]]};
    probe_o.retire = retire;
    probe_o.mispredict = {oldest[1].mispredict, oldest[0].mispredict};
    probe_o.flush = flush;
    probe_o.pc = {oldest[1].pc, oldest[0].pc};
    probe_o.insn = {oldest[1].insn, oldest[0].insn};
    probe_o.place = {window.head[2:0] + 3'd1, window.head[2:0]};
    probe_o.trap = trap;
    probe_o.trap_interrupt = interrupt;
    probe_o.trap_cause = trap_cause;
    probe_o.unwinding = unwinding;
    probe_o.waiting = waiting;
    probe_o.issue = issue;
    probe_o.issue_pc = {issued[1].pc, issued[0].pc};
    probe_o.issue_place = {issued[1].place, issued[0].place};
    probe_o.issue_missed = packet.missed ? (packet.valid[0] ? 2'b01 : 2'b10) : 2'b00;
    probe_o.tail = window.head + window.count;
    probe_o.redirect = redirect;
    probe_o.fetched = fetched;
    probe_o.fetched_pc = fetched_pc;
    probe_o.load_missed = load_missed;
    probe_o.load_place = loaded.place;
  end
endmodule
