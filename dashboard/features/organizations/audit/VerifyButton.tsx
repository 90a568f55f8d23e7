import { ShieldCheck } from 'lucide-react'
import { api } from '#contract/api'
import { useCall } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { numberText } from '../../../ui/text/number.ts'

/** Has the server compute the whole chain of entries anew. */
export function VerifyButton({ slug }: { slug: string }) {
  const verify = useCall(api.audit.verify, {
    onSuccess: ({ intact, entries, broken_at: brokenAt }) => {
      if (intact) toast.success(`All ${numberText(entries)} entries are as they were written`)
      else
        toast.error(`Entry ${brokenAt} does not match the entries before it`, {
          id: 'audit-broken',
        })
    },
    onError: (error) => toast.error(error.message),
  })
  return (
    <Button icon={ShieldCheck} busy={verify.isPending} onClick={() => verify.mutate({ slug })}>
      Verify
    </Button>
  )
}
