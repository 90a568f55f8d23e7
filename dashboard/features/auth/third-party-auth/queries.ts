import { thirdPartyAuth } from '#contract/auth/third-party-auth'
import { q } from '../../../api/client.ts'

export const thirdPartiesQuery = (ref: string) => q(thirdPartyAuth.list, { ref })
