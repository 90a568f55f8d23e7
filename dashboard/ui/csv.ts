import Papa from 'papaparse'

/** Lines of RFC 4180, each with its end. null is nothing, the empty text is "". */
export const csvText = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.length === 0
    ? ''
    : `${Papa.unparse(
        rows.map((row) => [...row]),
        { newline: '\r\n', quotes: (value) => value === '' },
      )}\r\n`
