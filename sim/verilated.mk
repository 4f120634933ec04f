# Compiles what Verilator has made of a model, by Verilator's own makefile, with the header that all of its files begin
# with precompiled: reading it took a third of the time.
include Vsim_top.mk

fast.pch: private OPT = $(OPT_FAST)
slow.pch: private OPT = $(OPT_SLOW)
fast.pch slow.pch: Vsim_top__Syms.h
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT) -x c++-header -o $@ $<

$(VK_FAST_OBJS): fast.pch
$(VK_SLOW_OBJS): slow.pch
$(VK_FAST_OBJS): private CPPFLAGS += -include-pch fast.pch
$(VK_SLOW_OBJS): private CPPFLAGS += -include-pch slow.pch
