/* Reading a file while an interrupt may come. Neither HDF5 nor a pipe whose writer takes its time
 * can be stopped, so a thread reads, and the tool waits for it or for an interrupt. */
#ifndef CLI_READING_H
#define CLI_READING_H

#include <slipcone/io.h>

/* cli_file_read. Where an interrupt ends the waiting *file is NULL and the status SLIP_OK. */
SlipStatus cli_reading_file(const char *path, SlipWantForm form, SlipFile **file, SlipError *error);

/* Whether that has happened: the thread still reads, so that the process must end without what
 * libraries clean up at its end. */
int cli_reading_given_up(void);

#endif
