import { ClockAlert, Gauge, Siren } from 'lucide-react'
import { Alert, type AlertVariant } from '../../../ui/Alert.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Callout, type CalloutType } from '../../../ui/Callout.tsx'
import { Samples } from './Samples.tsx'

const variants: AlertVariant[] = ['danger', 'warning', 'info', 'success', 'neutral']
const types: CalloutType[] = [
  'note',
  'tip',
  'caution',
  'warning',
  'danger',
  'destructive',
  'deprecation',
]

export function AlertSamples() {
  return (
    <>
      <Samples title="Alerts">
        <div className="stack">
          {variants.map((variant) => (
            <Alert
              key={variant}
              variant={variant}
              title={`An alert of the kind ${variant}`}
              action={variant === 'danger' && <Button>Try again</Button>}
            >
              What happened, and what to do next.
            </Alert>
          ))}
        </div>
      </Samples>
      <Samples title="Callouts">
        <div className="stack">
          {types.map((type) => (
            <Callout key={type} type={type}>
              Views run with the rights of their owner.
            </Callout>
          ))}
        </div>
      </Samples>
      <Samples title="Banners">
        <Banner variant="danger" icon={Siren}>
          We are currently investigating a technical issue
        </Banner>
        <Banner
          variant="warning"
          icon={Gauge}
          link={
            <button type="button" className="link">
              View Details
            </button>
          }
        >
          Organization plan has exceeded its quota
        </Banner>
        <Banner variant="notice" icon={ClockAlert} onDismiss={() => {}}>
          Your computer's clock appears to be inaccurate.
        </Banner>
      </Samples>
    </>
  )
}
