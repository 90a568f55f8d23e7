import { ErrorScreen } from '../../../ui/ErrorScreen.tsx'
import { FailedPane } from '../../../ui/PaneBoundary.tsx'
import { Samples } from './Samples.tsx'

const translated = new Error(
  "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
)

export function ErrorSamples() {
  return (
    <Samples title="Errors: a screen, and a part of one">
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
      <div className="card">
        <FailedPane
          what="the assistant"
          error={new Error('The connection to the model was lost')}
          resetErrorBoundary={() => {}}
        />
      </div>
    </Samples>
  )
}
