# ---- the page of HTML reports ----
# Bundled by npm packages: the rest works without it, and `tipoff report --format html` says what is missing.
HTML_PAGE := build/html/page.html
HTML_SRCS := $(filter-out %.mk,$(wildcard html/*.*)) $(wildcard html/src/*.ts* html/src/*/*.ts* html/style/*.css)
$(HTML_PAGE): $(HTML_SRCS)
	@html/install.sh
	@echo "  HTML $@"
	@cp html/build.mjs $(@D)/build.mjs && cd $(@D) && node build.mjs ../../html page.html

html: deps ## the page that `tipoff report --format html` puts its data into
	@$(MAKE) $(HTML_PAGE)
