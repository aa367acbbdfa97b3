#include "CBuild.h"

#include <stddef.h>

const char *cb_commit(void) {
#ifdef WRISTWIRE_COMMIT
  return WRISTWIRE_COMMIT;
#else
  return NULL;
#endif
}
