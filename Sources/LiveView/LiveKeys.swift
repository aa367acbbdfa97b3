/// Keys as a terminal sends them: bytes, or sequences that begin with ESC.
enum LiveKey: Equatable {
  case byte(UInt8)
  case up, down, pageUp, pageDown, home, end
  /// Ctrl-Z.
  case suspend

  /// Reads all that came at once; sequences without a meaning here are skipped.
  static func read(_ bytes: [UInt8]) -> [LiveKey] {
    var keys: [LiveKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1A: keys.append(.suspend)
      case 0x1B:
        guard let second = rest.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { continue }
        rest.removeFirst()
        // Parameters, then the letter or tilde that ends the sequence (ECMA-48).
        let parameters = rest.prefix { (0x20...0x3F).contains($0) }
        rest.removeFirst(parameters.count)
        guard let final = rest.popFirst() else { continue }
        if let key = named(final, parameters) { keys.append(key) }
      default: keys.append(.byte(byte))
      }
    }
    return keys
  }

  private static func named(_ final: UInt8, _ parameters: ArraySlice<UInt8>) -> LiveKey? {
    switch (final, parameters.first) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), UInt8(ascii: "1")), (UInt8(ascii: "~"), UInt8(ascii: "7")): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), UInt8(ascii: "4")), (UInt8(ascii: "~"), UInt8(ascii: "8")): .end
    case (UInt8(ascii: "~"), UInt8(ascii: "5")): .pageUp
    case (UInt8(ascii: "~"), UInt8(ascii: "6")): .pageDown
    default: nil
    }
  }
}
