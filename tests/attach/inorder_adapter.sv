// In the place of the in-order core's adapter, which is inorder_adapter_right here: with the mistake that the
// environment variable TIPOFF_MISTAKE names by its number, as an adapter by hand could have it.
// tests/attach/test_attach.py says which rule finds which.
module inorder_adapter
  import records_pkg::*;
  import inorder_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  probe_t         probe_i,
  output commit_bundle_t bundle_o
);
  typedef enum int { NONE, SLOTS_NOT_COMPACTED, DEAD_SHOWN, DEAD_FOR_ONE_CYCLE, OLDEST_WRONG, VALID_IF_FINISHED,
                    NEVER_MISPREDICT, NEVER_FLUSH,
                     NO_REDIRECT_NOR_MISPREDICT, EXCEPTION_BESIDE_COMMIT } mistake_e;
  import "DPI-C" function string tipoff_environment(input string name);
  int mistake;
  string name;
  initial begin
    name = tipoff_environment("TIPOFF_MISTAKE");
    mistake = name.atoi();
  end

  probe_t seen;
  always_comb begin
    seen = probe_i;
    case (mistake)
      DEAD_FOR_ONE_CYCLE: seen.unwinding = 1'b0;
      VALID_IF_FINISHED: seen.occupied = probe_i.finished;
      NEVER_MISPREDICT: seen.mispredict = '0;
      NEVER_FLUSH: seen.flush = '0;
      NO_REDIRECT_NOR_MISPREDICT: {seen.redirect, seen.mispredict} = '0;
      default: ;
    endcase
  end

  commit_bundle_t bundle;
  inorder_adapter_right u_right (.clk_i, .rst_ni, .probe_i(seen), .bundle_o(bundle));

  always_comb begin
    bundle_o = bundle;
    case (mistake)
      SLOTS_NOT_COMPACTED: begin
        bundle_o.dispatch_valid = probe_i.issue;
        bundle_o.dispatch_pc = probe_i.issue_pc;
      end
      DEAD_SHOWN: begin
        bundle_o.valid = probe_i.occupied;
        bundle_o.rob_empty = probe_i.occupied == '0;
      end
      OLDEST_WRONG: bundle_o.oldest = 1'b1;
      EXCEPTION_BESIDE_COMMIT: if (bundle.exception) bundle_o.commit[0] = 1'b1;
      default: ;
    endcase
  end
endmodule
