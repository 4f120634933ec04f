// In the place of sim/dirty_lines.sv, as u_dirty_lines of the top: for a core that writes through, memory has every line.
module clean_lines;
  export "DPI-C" function tipoff_tell_dirty;
  function void tipoff_tell_dirty();
  endfunction
endmodule
