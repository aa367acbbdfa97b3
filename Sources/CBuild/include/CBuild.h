// How this program was built.

#ifndef CBUILD_H
#define CBUILD_H

/// Returns the commit of the sources, which the variable `WRISTWIRE_COMMIT` named when the package was built; null if it was not set.
const char *cb_commit(void);

#endif
