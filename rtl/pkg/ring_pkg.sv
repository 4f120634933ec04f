// Places in rings of any size: indices 0..size-1.
//
// Rings that may be full have a wrap bit beside the index, which changes each time round. `size` is a constant where
// these are called.
package ring_pkg;
  // The index n places on (n <= size), and whether that is beyond the last one: then the wrap bit changes.
  function automatic int unsigned ring_sum(input int unsigned idx, input int unsigned n, input int unsigned size);
    ring_sum = idx + n >= size ? idx + n - size : idx + n;
  endfunction
  function automatic logic ring_wraps(input int unsigned idx, input int unsigned n, input int unsigned size);
    ring_wraps = idx + n >= size;
  endfunction

  // Places from the first to the second; `same`: their wrap bits are equal.
  function automatic int unsigned ring_used(input logic same, input int unsigned from, input int unsigned to,
                                            input int unsigned size);
    ring_used = to - from + (same ? 32'd0 : size);
  endfunction
endpackage
