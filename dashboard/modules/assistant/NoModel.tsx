import { Alert } from '../../ui/Alert.tsx'

/** Without a model there is nothing to ask; this says how to get one. */
export function NoModel() {
  return (
    <Alert variant="info" title="No model is configured">
      <p>
        The operator of this platform sets <code className="mono">OPENAI_API_KEY</code>, or{' '}
        <code className="mono">OPENAI_BASE_URL</code> for a server of their own that speaks the same
        protocol, and starts it again. <code className="mono">OPENAI_MODEL</code> sets a model other
        than gpt-5.
      </p>
    </Alert>
  )
}
