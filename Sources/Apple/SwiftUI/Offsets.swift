public import Foundation

// How lists change the collections that they show.

extension RangeReplaceableCollection where Self: MutableCollection {
  /// Removes the elements at some offsets from the start.
  public mutating func remove(atOffsets offsets: IndexSet) {
    var offset = -1
    removeAll { _ in
      offset += 1
      return offsets.contains(offset)
    }
  }
}

extension MutableCollection {
  /// Moves the elements at some offsets to before the one that is at an offset now, in their order.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let all = Array(self)
    let moved = source.map { all[$0] }
    var result: [Element] = []
    for (offset, element) in all.enumerated() {
      if offset == destination { result += moved }
      if !source.contains(offset) { result.append(element) }
    }
    if destination >= all.count { result += moved }
    var index = startIndex
    for element in result {
      self[index] = element
      formIndex(after: &index)
    }
  }
}
