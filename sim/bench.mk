# Compiles what Verilator has made of a bench, by Verilator's own makefile: what is run often as one file, what is run once as
# another. Reading the headers anew for each of a dozen small files took a third of the time.
include Vtop_classes.mk
OFTEN := $(VM_CLASSES_FAST) $(VM_SUPPORT_FAST)
ONCE  := $(VM_CLASSES_SLOW) $(VM_SUPPORT_SLOW)
override VM_CLASSES_FAST := often
override VM_CLASSES_SLOW := once
override VM_SUPPORT_FAST :=
override VM_SUPPORT_SLOW :=
include Vtop.mk

often.cpp: $(OFTEN:=.cpp)
once.cpp: $(ONCE:=.cpp)
often.cpp once.cpp:
	printf '#include "%s"\n' $^ > $@
