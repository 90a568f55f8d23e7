import { useState } from 'react'
import { supabase } from './supabase.js'

export function SignIn() {
  const [problem, setProblem] = useState('')

  async function submit(event) {
    event.preventDefault()
    const credentials = Object.fromEntries(new FormData(event.currentTarget))
    const isNew = event.nativeEvent.submitter.value === 'sign-up'
    const { error, data } = isNew
      ? await supabase.auth.signUp(credentials)
      : await supabase.auth.signInWithPassword(credentials)
    // A project that confirms addresses sends a link first.
    if (error) setProblem(error.message)
    else if (!data.session) setProblem('Open the link in the mail that we have sent you.')
  }

  return (
    <main>
      <h1>Todo</h1>
      <form onSubmit={submit}>
        <input name="email" type="email" aria-label="Email" placeholder="Email" required />
        <input
          name="password"
          type="password"
          aria-label="Password"
          placeholder="Password"
          required
        />
        <button>Sign in</button>
        <button value="sign-up">Sign up</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
    </main>
  )
}
