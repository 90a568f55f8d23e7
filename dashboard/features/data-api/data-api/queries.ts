import { dataApi } from '#contract/data-api/data-api'
import { q } from '../../../api/client.ts'

/** SQL changes the same settings, so what was read is soon old. */
export const dataApiQuery = (ref: string) => q(dataApi.config, { ref }, 2_000)
