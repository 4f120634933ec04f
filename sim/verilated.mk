# Compiles what Verilator has made of a model, by Verilator's own makefile, with the header that all of its files begin
# with precompiled: reading it took a third of the time. What writes waveforms is three fifths of a model that can, and no
# run is long that does: it is not optimised.
TOP ?= Vsim_top
include $(TOP).mk

fast.pch: private OPT = $(OPT_FAST)
slow.pch: private OPT = $(OPT_SLOW)
fast.pch slow.pch: $(TOP)__Syms.h
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT) -x c++-header -o $@ $<

WAVES := $(filter %Trace.o,$(VK_FAST_OBJS)) $(foreach object,$(VK_FAST_OBJS),$(if $(findstring __Trace__,$(object)),$(object)))
FAST  := $(filter-out $(WAVES),$(VK_FAST_OBJS))
$(FAST): fast.pch
$(VK_SLOW_OBJS) $(WAVES): slow.pch
$(FAST): private CPPFLAGS += -include-pch fast.pch
$(VK_SLOW_OBJS) $(WAVES): private CPPFLAGS += -include-pch slow.pch
$(WAVES): private override OPT_FAST = $(OPT_SLOW)
