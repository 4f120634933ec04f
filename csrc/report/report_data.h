// What the views of ProfileMe include of a run.
#ifndef TIPOFF_REPORT_REPORT_DATA_H
#define TIPOFF_REPORT_REPORT_DATA_H

#include "report/contexts.h"
#include "report/run.h"
#include "report/words.h"

#define report_data run
#define report_open run_open
#define report_close run_close

#endif
