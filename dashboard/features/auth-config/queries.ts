import { api } from '#contract/api'
import { q } from '../../api/client.ts'

export const authConfigQuery = (projectRef: string) => q(api.authConfig.get, { ref: projectRef })
