import Foundation
import SwiftUI
import Testing

/// How lists change the collections that they show.
@Suite struct `Offsets of a list` {
  @Test(arguments: [([], "abcde"), ([0], "bcde"), ([1, 3], "ace"), ([0, 1, 2, 3, 4], ""), ([9], "abcde")])
  func `elements are removed`(offsets: [Int], rest: String) {
    var letters = Array("abcde")
    letters.remove(atOffsets: IndexSet(offsets))
    #expect(String(letters) == rest)
  }

  @Test(
    arguments: [
      ([0], 5, "bcdea"), ([4], 0, "eabcd"), ([1, 3], 0, "bdace"), ([0, 1], 4, "cdabe"), ([2], 2, "abcde"),
      ([2], 3, "abcde"), ([], 2, "abcde"),
    ] as [([Int], Int, String)])
  func `elements are moved to before another`(offsets: [Int], to: Int, result: String) {
    var letters = Array("abcde")
    letters.move(fromOffsets: IndexSet(offsets), toOffset: to)
    #expect(String(letters) == result)
  }
}
