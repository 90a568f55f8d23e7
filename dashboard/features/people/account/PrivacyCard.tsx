import { useMutation } from '@tanstack/react-query'
import { serviceIds } from '#contract/people/consent'
import { messageOf } from '../../../api/client.ts'
import {
  openPrivacySettings,
  updateServices,
  useConsent,
} from '../../../session/telemetry/consent.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { toast } from '../../../ui/floats/toast.ts'

const { productUse } = serviceIds

/** The same consent that the toast asks for and the privacy settings hold. */
export function PrivacyCard() {
  const decisions = useConsent((state) => state.decisions)
  const decide = useMutation({
    mutationFn: (status: boolean) =>
      updateServices(
        Object.entries({ ...decisions, [productUse]: status }).map(([id, yes]) => ({
          id,
          status: yes,
        })),
      ),
    onError: (error) =>
      toast.error('Your choice could not be saved', { description: messageOf(error) }),
  })
  return (
    <Card title="Privacy" padded={false}>
      <div className="set-row">
        <div className="grow">
          <Switch
            label="Share how I use the dashboard"
            help="Which pages and buttons, never what you type or store"
            checked={decisions[productUse] === true}
            disabled={decide.isPending}
            onChange={(status) => decide.mutate(status)}
          />
        </div>
        <Button onClick={openPrivacySettings}>Privacy settings</Button>
      </div>
    </Card>
  )
}
