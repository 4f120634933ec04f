# Installing: to a prefix, as a folder that can be moved, as a Debian package (docs/guide/install.md).
TARGETS += install dist deb need-installed

PREFIX  ?= /usr/local
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' python/tipoff/version.py)
# Where the command finds the rest: the folder above its own, wherever that is.
INSTALLED = $(DESTDIR)$(PREFIX)/lib/tipoff
# Of a configuration, besides the model: what runs read.
OF_MODEL := hub.so gen/config.json gen/gus.tsv

# What commands say of themselves, as pages and completion: made again when the command is.
SAID := build/package/said
$(SAID)/.stamp: $(BIN) runtime/tipoff-cc $(wildcard scripts/package/*.py)
	@rm -rf $(SAID) && mkdir -p $(SAID)
	@$(PYTHON) scripts/package/completion.py $(BIN) $(SAID)/completion
	@SOURCE_DATE_EPOCH=$$(stat -c %Y python/tipoff/version.py) $(PYTHON) scripts/package/man.py $(BIN) runtime/tipoff-cc $(VERSION) $(SAID)/man
	@gzip -9n $(SAID)/man/*.1 && touch $@

define INSTALL
@install -D $(BIN) $(INSTALLED)/bin/tipoff
@for config in $(CONFIGS); do from=build/$$config to=$(INSTALLED)/$$config; install -D -m 644 $$from/$(MODEL_so) $$to/model.so || exit 1; \
    [ ! -e $$from/$(MODEL_fst) ] || install -m 644 $$from/$(MODEL_fst) $$to/model-fst.so; \
    for file in $(OF_MODEL); do [ ! -e $$from/$$file ] || install -D -m 644 $$from/$$file $$to/$$file || exit 1; done; done
@if [ -f $(HTML_PAGE) ]; then install -D -m 644 $(HTML_PAGE) $(INSTALLED)/html/page.html; fi
@install -D -m 644 -t $(INSTALLED)/gen build/gen/hbbp.tsv
@install -D -m 644 -t $(INSTALLED)/workloads $(DEFAULT_WORKLOADS)
@install -D -m 644 -t $(INSTALLED)/python $(wildcard python/*.py)
@for room in tipoff sweep sensitivity linux_perf; do install -D -m 644 -t $(INSTALLED)/python/$$room python/$$room/*.py || exit 1; done
@install -d $(INSTALLED)/runtime && install -m 644 $(filter-out %/tipoff-cc,$(wildcard runtime/*)) $(INSTALLED)/runtime \
    && install runtime/tipoff-cc $(INSTALLED)/runtime
@install -d $(DESTDIR)$(PREFIX)/bin && ln -sfn ../lib/tipoff/bin/tipoff $(DESTDIR)$(PREFIX)/bin/tipoff \
    && ln -sfn ../lib/tipoff/runtime/tipoff-cc $(DESTDIR)$(PREFIX)/bin/tipoff-cc
@install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(SAID)/man/*.gz
@install -D -m 644 $(SAID)/completion/tipoff.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tipoff
@install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(SAID)/completion/_tipoff
@install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/tipoff LICENSE CHANGELOG.md
endef

## install: command, models of CONFIGS, workloads, Python module, manual pages and completion to PREFIX
install: deps-install build
	@$(MAKE) $(SAID)/.stamp
	$(INSTALL)

DIST := build/dist/tipoff-$(VERSION)-$(shell uname -m)
## dist: the same as a folder that runs wherever it is put, and packed: build/dist/tipoff-*.tar.gz; for processors
##   like this one (MARCH=x86-64-v3: others, too)
dist: DESTDIR := $(DIST)
dist: PREFIX :=
dist: deps-dist build
	@$(MAKE) $(SAID)/.stamp
	@rm -rf $(DIST) $(DIST).tar.gz
	$(INSTALL)
	@scripts/package/dist.sh $(DIST) $(VERSION) $(MARCH)

## deb: the same as a package of Debian's: build/dist/tipoff_*.deb
deb: DESTDIR := build/package/deb
deb: PREFIX := /usr
deb: deps-deb build
	@$(MAKE) $(SAID)/.stamp
	@rm -rf $(DESTDIR)
	$(INSTALL)
	@scripts/package/deb.sh $(DESTDIR) $(VERSION) $(MARCH)

# An installed tree of what is built, for tests of it: build/package/tree.
need-installed: DESTDIR := build/package/tree
need-installed: PREFIX := /usr
need-installed: CONFIGS := small2
need-installed: $(SAID)/.stamp $(DEFAULT_WORKLOADS) build/small2/$(MODEL_so)
	@rm -rf $(DESTDIR)
	$(INSTALL)
