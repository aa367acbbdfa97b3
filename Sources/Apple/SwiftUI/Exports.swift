// SwiftUI's models without its views: a file that declares a view is left out of the package.
@_exported public import AppleFoundation
@_exported public import Combine
