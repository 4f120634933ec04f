# Compiles what Verilator has made of a bench, by Verilator's own makefile: what is run often as one file, what is run once as
# another. Reading the headers again for each of a dozen small files took a third of the time, and for these two and the bench's
# own half of the rest: PCH=FOLDER, where there is one, has what Verilator's header reads, precompiled (fast.pch and slow.pch).
include Vtop_classes.mk
OFTEN := $(VM_CLASSES_FAST) $(VM_SUPPORT_FAST)
ONCE  := $(VM_CLASSES_SLOW) $(VM_SUPPORT_SLOW)
override VM_CLASSES_FAST := often
override VM_CLASSES_SLOW := once
override VM_SUPPORT_FAST :=
override VM_SUPPORT_SLOW :=
include Vtop.mk

CPPFLAGS += $(if $(and $(PCH),$(filter %.o,$@)),-include-pch $(PCH)/$(if $(filter once.o,$@),slow,fast).pch)

fast.pch: private OPT = $(OPT_FAST)
slow.pch: private OPT = $(OPT_SLOW)
fast.pch slow.pch: $(VERILATOR_ROOT)/include/verilated.h
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT) -x c++-header -o $@ $<

often.cpp: $(OFTEN:=.cpp)
once.cpp: $(ONCE:=.cpp)
often.cpp once.cpp:
	printf '#include "%s"\n' $^ > $@
