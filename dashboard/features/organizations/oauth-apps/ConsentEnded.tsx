import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../ui/controls/button-class.ts'

type Props = { reason: 'unknown_app' | 'bad_request' | 'over' }

const texts: Record<Props['reason'], { title: string; text: string }> = {
  unknown_app: {
    title: 'This app is not registered here',
    text: 'The link names an app that was never published here or has been deleted. Go back to the app and try again.',
  },
  bad_request: {
    title: 'This link is not valid',
    text: 'Its redirect URI is not registered for the app, so nothing was sent. Contact the developer of the app.',
  },
  over: {
    title: 'This request has ended',
    text: 'It was already answered, expired after 10 minutes, or was opened by someone else. Go back to the app and start again.',
  },
}

/** In the place of a request that cannot be answered. */
export function ConsentEnded({ reason }: Props) {
  const { title, text } = texts[reason]
  return (
    <>
      <h1>{title}</h1>
      <div className="auth-note">
        <p className="muted t14">{text}</p>
        <Link to="/organizations" className={buttonClass({ size: 'form' })}>
          Go to your organizations
        </Link>
      </div>
    </>
  )
}
