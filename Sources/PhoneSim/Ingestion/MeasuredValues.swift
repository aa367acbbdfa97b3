/// The measured values of a day.
///
/// A sorted array: a dictionary of a few measures takes twice the memory, and there is one for each of thousands of days.
package struct MeasuredValues: Sendable, Equatable {
  /// Sorted by the measure's name.
  private var values: [MeasuredValue] = []

  package var count: Int { values.count }

  /// Nil for no value; setting nil removes it.
  package subscript(measure: AppleMeasure) -> Double? {
    get { values.first { $0.measure == measure }?.value }
    set {
      let index = values.firstIndex { $0.measure.rawValue >= measure.rawValue } ?? values.count
      let isKnown = index < values.count && values[index].measure == measure
      switch (newValue, isKnown) {
      case (let value?, true): values[index].value = value
      case (let value?, false): values.insert(MeasuredValue(measure: measure, value: value), at: index)
      case (nil, true): values.remove(at: index)
      case (nil, false): break
      }
    }
  }
}
