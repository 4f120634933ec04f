# ---- the page of HTML reports ----
TARGETS += html
# Bundled by npm packages: the rest works without it, and `tipoff report --format html` says what is missing.
HTML_PAGE := build/html/page.html
HTML_SRCS := $(filter-out %.mk,$(wildcard html/*.*)) $(wildcard html/src/*.ts* html/src/*/*.ts* html/style/*.css)
$(HTML_PAGE): $(HTML_SRCS)
	@html/install.sh
	@echo "  HTML $@"
	@cp html/build.mjs $(@D)/build.mjs && cd $(@D) && node build.mjs ../../html page.html

# Beside what runs programs: where npm is at hand. Debian's is 370 packages, which nobody who wants the report in text should wait for.
define HTML_PAGE_TOO
if command -v npm > /dev/null; then $(MAKE) $(HTML_PAGE) || echo "make: goes on without $(HTML_PAGE), the page of HTML reports"; \
    elif [ ! -f $(HTML_PAGE) ]; then echo "make: goes on without the page of HTML reports: \`make html\` adds it"; fi
endef

## html: the page that `tipoff report --format html` puts its data into (a minute; Debian's npm: 50 MB to
##   load)
html: deps-html
	@$(MAKE) $(HTML_PAGE)
