import type { Organization } from '#contract/organizations/organizations'
import type { Option } from '../../ui/controls/options.ts'

type Kind = Organization['kind']
type Size = NonNullable<Organization['size']>

export const kinds: Option<Kind>[] = [
  { value: 'PERSONAL', label: 'Personal' },
  { value: 'EDUCATIONAL', label: 'Educational' },
  { value: 'STARTUP', label: 'Startup' },
  { value: 'AGENCY', label: 'Agency' },
  { value: 'COMPANY', label: 'Company' },
  { value: 'UNDISCLOSED', label: 'N/A' },
]

/** Asked of companies only. */
export const sizes: Option<Size>[] = [
  { value: '1', label: '1 to 10 people' },
  { value: '10', label: '10 to 49 people' },
  { value: '50', label: '50 to 99 people' },
  { value: '100', label: '100 to 299 people' },
  { value: '300', label: '300 people or more' },
]
