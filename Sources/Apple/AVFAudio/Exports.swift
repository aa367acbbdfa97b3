// The part of AVFoundation that is about sound; there is no other here.
@_exported public import AVFoundation
