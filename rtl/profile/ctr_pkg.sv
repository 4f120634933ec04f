// Control transfer records (Smctr, Ssctr): what a transfer is, its type by the instruction's bits, and which ones are
// recorded.
package ctr_pkg;

  // ctrdata's TYPE.
  localparam logic [3:0] TypeNone = 4'd0, TypeException = 4'd1, TypeInterrupt = 4'd2, TypeTrapReturn = 4'd3,
                         TypeNotTaken = 4'd4, TypeTaken = 4'd5,
                         TypeIndirectCall = 4'd8, TypeDirectCall = 4'd9, TypeIndirectJump = 4'd10,
                         TypeDirectJump = 4'd11, TypeSwap = 4'd12,
                         TypeReturn = 4'd13, TypeIndirectLink = 4'd14, TypeDirectLink = 4'd15;
  localparam logic [31:0] Sctrclr = 32'h10400073, Mret = 32'h30200073, Sret = 32'h10200073;

  // What is recorded of a transfer.
  typedef struct packed {
    logic record;
    logic hide_source, hide_target;  // of the mode there software gets nothing to see
  } qualified_t;

  // A transfer of control in program order, or the instruction that clears all records.
  typedef struct packed {
    logic        valid;
    logic        clear;    // sctrclr; the rest is 0
    logic [63:0] source;
    logic [63:0] target;   // of a branch that is not taken: the next instruction
    logic [3:0]  kind;     // its type
    logic        mispredict;
    logic [1:0]  priv;     // mode that it leaves
    logic [1:0]  to_priv;  // mode that it leads to
    qualified_t  is;
  } transfer_t;

  typedef struct packed {
    logic m, s, u;
  } modes_t;

  // mctrctl, from bit 47 down; the bits that are written here as reserved are read-only 0.
  typedef struct packed {
    logic [7:0]  inhibit_jumps;  // 47:40, of types 15 to 8
    logic [1:0]  reserved_39;
    logic        tkbrinh, ntbren, tretinh, intrinh, excinh;
    logic [19:0] reserved_32;
    logic        lcofifrz, bpfrz;
    logic        reserved_10;
    logic        mte, ste, rasemu;
    logic [3:0]  reserved_6;
    modes_t      modes;
  } control_t;

  function automatic logic is_link(input logic [4:0] register);
    is_link = register == 5'd1 || register == 5'd5;
  endfunction

  function automatic logic [3:0] indirect_type(input logic [4:0] rd, input logic [4:0] rs);
    if (is_link(rd)) indirect_type = is_link(rs) && rs != rd ? TypeSwap : TypeIndirectCall;
    else if (is_link(rs)) indirect_type = TypeReturn;
    else indirect_type = rd == '0 ? TypeIndirectJump : TypeIndirectLink;
  endfunction

  // Type of an instruction as fetched (16-bit forms zero-extended): TypeTaken for every conditional branch, TypeNone
  // for what transfers nothing.
  function automatic logic [3:0] type_of(input logic [31:0] insn);
    type_of = TypeNone;
    case (insn[1:0])
      2'b11:
        case (insn[6:2])
          5'b11000: type_of = TypeTaken;
          5'b11001: type_of = indirect_type(insn[11:7], insn[19:15]);
          5'b11011: type_of = is_link(insn[11:7]) ? TypeDirectCall : insn[11:7] == '0 ? TypeDirectJump : TypeDirectLink;
          5'b11100: if (insn == Mret || insn == Sret) type_of = TypeTrapReturn;
          default: ;
        endcase
      2'b01:
        if (insn[15:13] == 3'b101) type_of = TypeDirectJump;
        else if (insn[15:14] == 2'b11) type_of = TypeTaken;
      2'b10:
        if (insn[15:13] == 3'b100 && insn[6:2] == '0 && insn[11:7] != '0)
          type_of = indirect_type(insn[12] ? 5'd1 : 5'd0, insn[11:7]);
      default: ;
    endcase
  endfunction

  function automatic logic is_enabled(input modes_t modes, input logic [1:0] priv);
    case (priv)
      2'd3: is_enabled = modes.m;
      2'd1: is_enabled = modes.s;
      default: is_enabled = modes.u;
    endcase
  endfunction

  // A trap into a mode that is not enabled: that mode must agree, and the one between.
  function automatic logic external_is_recorded(input logic mte, input logic ste, input logic [1:0] from,
                                                input logic [1:0] to);
    external_is_recorded = to == 2'd3 ? mte && (from == 2'd1 || ste) : ste;
  endfunction

  // Of a transfer of that type, from one mode into another.
  /* verilator lint_off UNUSEDSIGNAL */  // freezing is not its concern
  function automatic qualified_t qualify(input control_t control, input logic [3:0] kind, input logic [1:0] priv,
                                         input logic [1:0] to_priv);
  /* verilator lint_on UNUSEDSIGNAL */
    logic from, to;
    from = is_enabled(control.modes, priv);
    to = is_enabled(control.modes, to_priv);
    qualify = '0;
    if (control.rasemu) begin
      qualify.record = from && (kind == TypeIndirectCall || kind == TypeDirectCall || kind == TypeSwap ||
                                kind == TypeReturn);
    end else begin
      case (kind)
        TypeException, TypeInterrupt: begin
          qualify.record = to ? !(kind == TypeException ? control.excinh : control.intrinh) :
                           from && external_is_recorded(control.mte, control.ste, priv, to_priv);
          qualify.hide_source = !from;
          qualify.hide_target = !to;
        end
        TypeTrapReturn: begin
          qualify.record = from && !control.tretinh;
          qualify.hide_target = !to;
        end
        TypeNotTaken: qualify.record = from && control.ntbren;
        TypeTaken: qualify.record = from && !control.tkbrinh;
        default: qualify.record = from && !control.inhibit_jumps[kind[2:0]];
      endcase
    end
  endfunction

  // ---- cycles since the record before: a mantissa of 12 bits and an exponent of 4 ----
  localparam int unsigned CycleBits = 27;
  typedef logic [CycleBits-1:0] cycles_t;

  // All ones of the counter are its largest value: 4095 and 15.
  function automatic logic [15:0] cycle_count(input cycles_t cycles);
    cycle_count = {4'd0, cycles[11:0]};
    for (int bits = 12; bits < CycleBits; bits++) begin
      if (cycles[bits]) cycle_count = {4'(bits - 11), 12'(cycles >> (bits - 12))};
    end
  endfunction
endpackage
