// System sounds, which apps find through either module.
@_exported public import AVFoundation
