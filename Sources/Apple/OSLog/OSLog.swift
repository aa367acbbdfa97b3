// Apple's OSLog has what os has, and a store of the log, which is left out.
@_exported public import os
