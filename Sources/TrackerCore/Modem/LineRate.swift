/// The rates of receivers' and modems' serial lines, the likeliest first.
///
/// Factory settings: u-blox up to M8, CASIC and MediaTek 9600; modems and some HATs 115200; u-blox
/// from M9 on 38400; SiRF 4800.
public enum LineRate {
  public static let count: Int32 = 7

  /// The rate with this number, from 1 on, bits per second; `nil`: there is no such number.
  public static func likely(_ number: Int32) -> Int32? {
    switch number {
    case 1: 9600
    case 2: 115_200
    case 3: 38_400
    case 4: 4800
    case 5: 57_600
    case 6: 19_200
    case 7: 230_400
    default: nil
    }
  }
}
