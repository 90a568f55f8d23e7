import { textParams, type SearchOf } from '../../../session/search-params.ts'

/** What the address holds. `finding` is the one that is open, `show` which of them. */
export const advisorParams = textParams('level', 'q', 'finding', 'show')
export type AdvisorFilter = { [Name in keyof SearchOf<typeof advisorParams>]?: string | undefined }
