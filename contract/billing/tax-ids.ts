/** Kinds of tax number that can stand on an invoice: name, country, what one looks like, and the pattern it must have. */
export type TaxIdType = {
  type: string
  name: string
  country: string
  example: string
  pattern: RegExp
}

const kind = (
  type: string,
  name: string,
  country: string,
  example: string,
  pattern: RegExp,
): TaxIdType => ({ type, name, country, example, pattern })

/** Kinds of one country stand together; the codes are those that payment providers know. */
export const taxIdTypes: readonly TaxIdType[] = [
  kind('au_abn', 'AU ABN', 'AU', '12345678912', /^\d{11}$/),
  kind('br_cnpj', 'BR CNPJ', 'BR', '01.234.456/5432-10', /^\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}$/),
  kind('ca_bn', 'CA BN', 'CA', '123456789', /^\d{9}$/),
  kind('ca_gst_hst', 'CA GST/HST', 'CA', '123456789RT0002', /^\d{9}RT\d{4}$/),
  kind(
    'ch_vat',
    'CH VAT',
    'CH',
    'CHE-123.456.789 MWST',
    /^CHE-?\d{3}\.?\d{3}\.?\d{3}( ?(MWST|TVA|IVA))?$/,
  ),
  kind('eu_vat', 'AT VAT', 'AT', 'ATU12345678', /^ATU\d{8}$/),
  kind('eu_vat', 'BE VAT', 'BE', 'BE0123456789', /^BE[01]\d{9}$/),
  kind('eu_vat', 'BG VAT', 'BG', 'BG0123456789', /^BG\d{9,10}$/),
  kind('eu_vat', 'CY VAT', 'CY', 'CY12345678Z', /^CY\d{8}[A-Z]$/),
  kind('eu_vat', 'CZ VAT', 'CZ', 'CZ1234567890', /^CZ\d{8,10}$/),
  kind('eu_vat', 'DE VAT', 'DE', 'DE123456789', /^DE\d{9}$/),
  kind('eu_vat', 'DK VAT', 'DK', 'DK12345678', /^DK\d{8}$/),
  kind('eu_vat', 'EE VAT', 'EE', 'EE123456789', /^EE\d{9}$/),
  kind('eu_vat', 'ES VAT', 'ES', 'ESA1234567Z', /^ES[A-Z0-9]\d{7}[A-Z0-9]$/),
  kind('eu_vat', 'FI VAT', 'FI', 'FI12345678', /^FI\d{8}$/),
  kind('eu_vat', 'FR VAT', 'FR', 'FRAB123456789', /^FR[A-Z0-9]{2}\d{9}$/),
  kind('eu_vat', 'GR VAT', 'GR', 'EL123456789', /^EL\d{9}$/),
  kind('eu_vat', 'HR VAT', 'HR', 'HR12345678912', /^HR\d{11}$/),
  kind('eu_vat', 'HU VAT', 'HU', 'HU12345678', /^HU\d{8}$/),
  kind('eu_vat', 'IE VAT', 'IE', 'IE1234567AB', /^IE\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/),
  kind('eu_vat', 'IT VAT', 'IT', 'IT12345678912', /^IT\d{11}$/),
  kind('eu_vat', 'LT VAT', 'LT', 'LT123456789123', /^LT(\d{9}|\d{12})$/),
  kind('eu_vat', 'LU VAT', 'LU', 'LU12345678', /^LU\d{8}$/),
  kind('eu_vat', 'LV VAT', 'LV', 'LV12345678912', /^LV\d{11}$/),
  kind('eu_vat', 'MT VAT', 'MT', 'MT12345678', /^MT\d{8}$/),
  kind('eu_vat', 'NL VAT', 'NL', 'NL123456789B12', /^NL\d{9}B\d{2}$/),
  kind('eu_vat', 'PL VAT', 'PL', 'PL1234567890', /^PL\d{10}$/),
  kind('eu_vat', 'PT VAT', 'PT', 'PT123456789', /^PT\d{9}$/),
  kind('eu_vat', 'RO VAT', 'RO', 'RO1234567891', /^RO\d{2,10}$/),
  kind('eu_vat', 'SE VAT', 'SE', 'SE123456789123', /^SE\d{12}$/),
  kind('eu_vat', 'SI VAT', 'SI', 'SI12345678', /^SI\d{8}$/),
  kind('eu_vat', 'SK VAT', 'SK', 'SK1234567891', /^SK\d{10}$/),
  kind('gb_vat', 'GB VAT', 'GB', 'GB123456789', /^GB(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/),
  kind('in_gst', 'IN GST', 'IN', '12ABCDE3456FGZH', /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z0-9]{3}$/),
  kind('jp_trn', 'JP TRN', 'JP', 'T1234567891234', /^T\d{13}$/),
  kind('mx_rfc', 'MX RFC', 'MX', 'ABC010203AB9', /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/),
  kind('no_vat', 'NO VAT', 'NO', '123456789MVA', /^\d{9}MVA$/),
  kind('nz_gst', 'NZ GST', 'NZ', '123456789', /^\d{8,9}$/),
  kind('sg_gst', 'SG GST', 'SG', 'M12345678X', /^[A-Z0-9]{9,10}$/),
  kind('us_ein', 'US EIN', 'US', '12-3456789', /^\d{2}-\d{7}$/),
  kind('za_vat', 'ZA VAT', 'ZA', '4123456789', /^4\d{9}$/),
]

/** Undefined: there is no such kind, or the number does not look like one of it. */
export const taxIdType = (type: string, country: string, value: string): TaxIdType | undefined =>
  taxIdTypes.find(
    (known) => known.type === type && known.country === country && known.pattern.test(value),
  )
