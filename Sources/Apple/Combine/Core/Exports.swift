// Apple's Foundation and Combine come with each other.
@_exported public import AppleFoundation
