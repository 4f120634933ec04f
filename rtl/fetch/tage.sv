// Direction predictor (TAGE: a bimodal base and tables tagged with geometric history lengths; after Seznec and
// Michaud, "A case for (partially) tagged geometric history length branch prediction", JILP 2006).
//
// Read in F0, answers in F1 with a direction for every slot of the block. Trained once a packet, at retirement, from
// what the packet's record kept of the prediction; allocates in a longer table when the direction was wrong.
// A walk clears the tables after reset; until it ends every answer is "not taken" and nothing is learnt.
module tage
  import config_pkg::*;
  import fetch_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  // F0
  input  logic         read_i,
  /* verilator lint_off UNUSEDSIGNAL */  // without tagged tables the base alone looks
  input  key_t         read_key_i,
  input  hist_t        read_hist_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // F1
  output slots_t       taken_o,
  output tage_meta_t   meta_o,
  // retirement of a packet
  input  logic         train_i,
  /* verilator lint_off UNUSEDSIGNAL */  // as above
  input  key_t         train_key_i,
  input  hist_t        train_hist_i,
  input  tage_meta_t   train_meta_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  slots_t       train_branches_i,   // conditional branches of the packet
  input  slot_t        train_last_i,       // the packet ended here,
  input  logic         train_taken_i,      // taken
  input  logic         train_mispredict_i  // ... and that was mispredicted
);
  localparam int unsigned BaseBits = $clog2(BaseRows);
  localparam int unsigned RowBits = $clog2(TageRows);
  localparam int unsigned WalkRows = BaseRows > TageRows ? BaseRows : TageRows;
  localparam int unsigned WalkBits = $clog2(WalkRows);

  logic clearing_q;
  logic [WalkBits-1:0] walk_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      walk_q <= '0;
    end else if (clearing_q) begin
      walk_q <= walk_q + 1'b1;
      clearing_q <= walk_q != WalkBits'(WalkRows - 1);
    end
  end

  // ---- tables ----
  slots_t [TageCount-1:0] hit, useful;
  logic [FetchWidth-1:0][2:0] ctr [TageCount];
  /* verilator lint_off UNUSEDSIGNAL */  // as above
  slots_t [TageCount-1:0] write, useful_write, useful_value;
  logic [FetchWidth-1:0][2:0] write_ctr [TageCount];
  /* verilator lint_on UNUSEDSIGNAL */
  logic [FetchWidth-1:0][1:0] base_q, base_new;
  slots_t base_write;

  for (genvar t = 0; t < TageCount; t++) begin : gen_table
    localparam int unsigned Length = history_length(t, TageTables);
    if (TageTables == 0) begin : gen_none
      assign hit[t] = '0;
      assign useful[t] = '0;
      assign ctr[t] = '0;
    end else begin : gen_some
      tage_table #(.Length(Length), .Number(t + 1)) u_table (
        .clk_i, .rst_ni, .read_i, .read_key_i, .read_hist_i(read_hist_i[Length-1:0]),
        .hit_o(hit[t]), .useful_o(useful[t]), .ctr_o(ctr[t]),
        .write_key_i(train_key_i), .write_hist_i(train_hist_i[Length-1:0]), .write_i(write[t]),
        .write_ctr_i(write_ctr[t]), .useful_write_i(useful_write[t]), .useful_value_i(useful_value[t]),
        .clear_i(clearing_q), .clear_row_i(walk_q[RowBits-1:0])
      );
    end
  end

  logic [BaseBits-1:0] base_row;
  assign base_row = clearing_q ? walk_q[BaseBits-1:0] : train_key_i[BaseBits-1:0];
  sync_ram #(.Words(BaseRows), .Width(2 * FetchWidth), .Lanes(FetchWidth)) u_base (
    .clk_i, .rst_ni, .read_i, .read_addr_i(read_key_i[BaseBits-1:0]), .data_o(base_q),
    .write_i(clearing_q ? '1 : base_write), .write_addr_i(base_row),
    .write_data_i(clearing_q ? {FetchWidth{2'b01}} : base_new)
  );

  // ---- predict: the longest history that hits provides; a fresh entry may be passed over for the next longest ----
  logic [3:0] use_alt_q;  // 8 and above: fresh entries have been worse than their alternative
  always_comb begin
    logic taken, alt, fresh;
    taken = 1'b0;
    alt = 1'b0;
    fresh = 1'b0;
    taken_o = '0;
    meta_o = '0;
    if (!clearing_q) begin
      meta_o.useful = useful;
      for (int unsigned s = 0; s < FetchWidth; s++) begin
        taken = base_q[s][1];
        alt = taken;
        fresh = 1'b0;
        meta_o.ctr[s] = {1'b0, base_q[s]};
        for (int unsigned t = 0; t < TageCount; t++) begin
          if (hit[t][s]) begin
            alt = taken;
            taken = ctr[t][s][2];
            fresh = (ctr[t][s] == 3'd3 || ctr[t][s] == 3'd4) && !useful[t][s];
            meta_o.provider[s] = 4'(t + 1);
            meta_o.ctr[s] = ctr[t][s];
          end
        end
        meta_o.alt[s] = alt;
        taken_o[s] = fresh && use_alt_q[3] ? alt : taken;
      end
    end
  end

  // ---- train ----
  logic [7:0] random_q;
  logic use_alt_up, use_alt_down;
  always_comb begin
    logic actual, provider_taken, fresh, allocated, skip;
    logic [3:0] provider;
    logic [2:0] old;
    actual = 1'b0;
    provider_taken = 1'b0;
    fresh = 1'b0;
    allocated = 1'b0;
    skip = 1'b0;
    provider = '0;
    old = '0;
    write = '0;
    useful_write = '0;
    useful_value = '0;
    base_write = '0;
    base_new = '0;
    use_alt_up = 1'b0;
    use_alt_down = 1'b0;
    for (int unsigned t = 0; t < TageCount; t++) write_ctr[t] = '0;
    if (train_i && !clearing_q) begin
      for (int unsigned s = 0; s < FetchWidth; s++) begin
        if (train_branches_i[s]) begin
          actual = train_taken_i && train_last_i == slot_t'(s);
          provider = train_meta_i.provider[s];
          old = train_meta_i.ctr[s];
          fresh = 1'b0;
          provider_taken = old[1];
          if (provider == '0) begin
            base_write[s] = 1'b1;
            base_new[s] = actual ? (&old[1:0] ? 2'b11 : old[1:0] + 2'd1) : (old[1:0] == '0 ? 2'b00 : old[1:0] - 2'd1);
          end
          for (int unsigned t = 0; t < TageCount; t++) begin
            if (provider == 4'(t + 1)) begin
              provider_taken = old[2];
              fresh = (old == 3'd3 || old == 3'd4) && !train_meta_i.useful[t][s];
              write[t][s] = 1'b1;
              write_ctr[t][s] = actual ? (&old ? 3'd7 : old + 3'd1) : (old == '0 ? 3'd0 : old - 3'd1);
              if (provider_taken != train_meta_i.alt[s]) begin
                useful_write[t][s] = 1'b1;
                useful_value[t][s] = provider_taken == actual;
                use_alt_up = fresh && provider_taken != actual;
                use_alt_down = fresh && provider_taken == actual;
              end
            end
          end
          // Wrong direction: take an entry that was of no use in a longer table; in one case of two pass over
          // the first such, lest all contexts crowd in the shorter tables. No such entry: age them, sometimes.
          if (train_mispredict_i && train_last_i == slot_t'(s) && !(fresh && provider_taken == actual)) begin
            allocated = 1'b0;
            skip = random_q[0];
            for (int unsigned t = 0; t < TageCount; t++) begin
              if (4'(t) >= provider && !allocated && !train_meta_i.useful[t][s]) begin
                if (skip && t + 1 < TageCount) skip = 1'b0;
                else begin
                  allocated = 1'b1;
                  write[t][s] = 1'b1;
                  write_ctr[t][s] = actual ? 3'd4 : 3'd3;
                  useful_write[t][s] = 1'b1;
                end
              end
            end
            if (!allocated && random_q[2:1] == '0) begin
              for (int unsigned t = 0; t < TageCount; t++) if (4'(t) >= provider) useful_write[t][s] = 1'b1;
            end
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      use_alt_q <= 4'd8;
      random_q <= 8'h01;
    end else begin
      if (use_alt_up && !(&use_alt_q)) use_alt_q <= use_alt_q + 4'd1;
      if (use_alt_down && use_alt_q != '0) use_alt_q <= use_alt_q - 4'd1;
      if (train_i) random_q <= {random_q[6:0], random_q[7] ^ random_q[5] ^ random_q[4] ^ random_q[3]};
    end
  end
endmodule
