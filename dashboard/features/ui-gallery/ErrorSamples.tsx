import { ErrorScreen } from '../../ui/ErrorScreen.tsx'
import { Samples } from './Samples.tsx'

const translated = new Error(
  "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
)

export function ErrorSamples() {
  return (
    <Samples title="Error screen">
      <div className="card">
        <ErrorScreen
          error={translated}
          reference="4f1c90aa"
          supportHref="mailto:support@plinth.test"
          production
          home="/organizations"
          inside
        />
      </div>
    </Samples>
  )
}
