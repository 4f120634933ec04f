"""Which of the targets of make may have been meant by a word that is none: ", did you mean A or B?", or nothing."""
import difflib
import sys

close = difflib.get_close_matches(sys.argv[1], sys.argv[2:], 3, 0.6)
print(f", did you mean {' or '.join(close)}?" if close else "")
