# The coherence protocol in a toy; all its states are visited.
COHERENCE_SRCS := $(wildcard tests/coherence/*.c)

build/tests/coherence/hub_model: $(COHERENCE_SRCS) tests/coherence/protocol.h
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) -o $@ $(COHERENCE_SRCS)
