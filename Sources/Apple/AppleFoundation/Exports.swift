// What Apple's Foundation brings with it.
@_exported public import Foundation
@_exported public import Observation
