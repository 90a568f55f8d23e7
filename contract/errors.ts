/** Every error the platform API can answer with. Clients match on the code or the status, never on the words. */
export const errors = {
  invalid_input: { status: 400, message: 'The request is not valid' },
  bad_json: { status: 400, message: 'The request body is not valid JSON' },
  missing_connection: {
    status: 400,
    // Word for word from the requirements' error catalogue.
    message: 'API Error: happened while trying to acquire connection to the database',
  },
  query_failed: { status: 400, message: 'The database refused the query' },
  weak_password: { status: 400, message: 'You need a stronger password.' },
  not_signed_in: { status: 401, message: 'Sign in to do this' },
  cards_not_accepted: {
    status: 400,
    message: 'This platform takes no cards; invoices are paid as they say',
  },
  bad_signature: { status: 400, message: 'This event is not signed by the payment provider' },
  organization_restricted: {
    status: 402,
    message:
      'This organization is restricted until its invoices are paid: its data can be read but not changed',
  },
  unpaid_invoices: { status: 402, message: 'Pay the overdue invoices of this organization first' },
  not_allowed: { status: 403, message: 'You do not have permission to do this' },
  mfa_required: { status: 403, message: 'This needs a sign-in with a second factor' },
  second_factor_missing: { status: 403, message: 'Show your second factor to go on' },
  session_required: {
    status: 403,
    message: 'An access token cannot do this; sign in to the dashboard',
  },
  insufficient_scope: {
    status: 403,
    message: 'The scopes of this app do not include this',
  },
  bad_origin: { status: 403, message: 'Requests from this origin are not accepted' },
  plan_limit: { status: 403, message: 'The plan of this organization does not include this' },
  platform_only: { status: 403, message: 'A self-hosted installation does not have this' },
  feature_disabled: { status: 403, message: 'The operator of this platform has switched this off' },
  invitation_not_yours: {
    status: 403,
    message: 'This invitation was sent to another e-mail address',
  },
  free_project_limit: { status: 403, message: 'The Free plan includes no further active project' },
  not_on_this_installation: { status: 400, message: 'This installation does not have this' },
  function_does_not_start: { status: 400, message: 'The function does not start' },
  not_found: { status: 404, message: 'There is nothing at this address' },
  user_profile_not_found: { status: 404, message: "User's profile not found" },
  organization_not_found: { status: 404, message: 'This organization does not exist' },
  project_not_found: { status: 404, message: 'This project does not exist' },
  access_token_not_found: { status: 404, message: 'This access token does not exist' },
  function_not_found: { status: 404, message: 'This function does not exist' },
  bucket_not_found: { status: 404, message: 'This bucket does not exist' },
  storage_job_not_found: { status: 404, message: 'There is no such change of a folder' },
  trash_item_not_found: { status: 404, message: 'This is not in the trash any more' },
  object_not_found: { status: 404, message: 'This object does not exist' },
  orphan_not_found: {
    status: 404,
    message: 'Nothing of this name is without a row: plinth orphans list tells what is',
  },
  backup_not_found: { status: 404, message: 'This backup does not exist' },
  member_not_found: { status: 404, message: 'Nobody of this organization has this id' },
  role_not_found: { status: 404, message: 'This role does not exist here' },
  invitation_not_found: {
    status: 404,
    message: 'This invitation does not exist: it was used, revoked, or replaced by a newer one',
  },
  oauth_app_not_found: { status: 404, message: 'This app does not exist here' },
  oauth_request_not_found: {
    status: 404,
    message: 'This request was answered, has expired, or was opened by somebody else meanwhile',
  },
  document_not_found: {
    status: 404,
    message: 'Whoever runs this platform has not supplied this document',
  },
  api_key_not_found: { status: 404, message: 'This API key does not exist' },
  storage_key_not_found: { status: 404, message: 'This access key does not exist' },
  signing_key_not_found: { status: 404, message: 'This signing key does not exist' },
  oauth_client_not_found: { status: 404, message: 'This app does not exist' },
  third_party_auth_not_found: { status: 404, message: 'This integration does not exist' },
  sso_not_found: { status: 404, message: 'Single sign-on is not set up' },
  auth_user_not_found: { status: 404, message: 'This user does not exist' },
  snippet_not_found: { status: 404, message: 'This snippet does not exist' },
  folder_not_found: { status: 404, message: 'This folder does not exist' },
  invoice_not_found: { status: 404, message: 'This invoice does not exist' },
  payment_method_not_found: { status: 404, message: 'This payment method does not exist' },
  tax_id_not_found: { status: 404, message: 'This tax number does not exist' },
  method_not_allowed: { status: 405, message: 'This method is not supported here' },
  query_timeout: { status: 408, message: 'The query took too long and was stopped' },
  profile_exists: { status: 409, message: 'Profile already exists' },
  too_many_access_tokens: {
    status: 409,
    message: 'You have as many access tokens as one person can have; revoke one first',
  },
  too_many_api_keys: {
    status: 409,
    message: 'This project has as many API keys as it can have; delete one first',
  },
  too_many_storage_keys: {
    status: 409,
    message: 'This project has as many access keys as it can have; delete one first',
  },
  too_many_signing_keys: {
    status: 409,
    message: 'This project has as many signing keys as it can have; delete a revoked one first',
  },
  signing_key_exists: { status: 409, message: 'This project has this signing key already' },
  too_many_third_party_auths: {
    status: 409,
    message: 'This project has as many integrations as it can have; remove one first',
  },
  third_party_auth_exists: {
    status: 409,
    message: 'This project takes the tokens of this issuer already',
  },
  standby_exists: {
    status: 409,
    message: 'This project has a standby key already; rotate to it or move it away first',
  },
  signing_key_move: {
    status: 409,
    message: 'A signing key cannot be moved there from where it is',
  },
  signing_key_not_revoked: { status: 409, message: 'Only a revoked signing key can be deleted' },
  legacy_keys_enabled: {
    status: 409,
    message:
      'The anon and service_role keys are signed by this key: disable the legacy API keys first',
  },
  legacy_secret_revoked: {
    status: 409,
    message: 'The legacy JWT secret is revoked, so that keys signed by it would open nothing',
  },
  sole_owner: {
    status: 409,
    message: 'Give the organizations that only you own another owner, or delete them, first',
  },
  too_many_oauth_apps: {
    status: 409,
    message: 'This organization has as many apps as it can have; delete one first',
  },
  oauth_app_public: { status: 409, message: 'A public app has no secret' },
  transfer_refused: { status: 409, message: 'This project cannot be transferred there' },
  invoice_settled: { status: 409, message: 'This invoice is settled and cannot change' },
  transaction_gone: {
    status: 409,
    message: 'This transaction has ended already: what was not committed was rolled back',
  },
  transaction_busy: { status: 409, message: 'A statement of this transaction is still running' },
  too_many_folders: {
    status: 409,
    message: 'You have as many folders here as one person can have',
  },
  port_unavailable: { status: 409, message: 'This port cannot be used' },
  no_orphan: { status: 409, message: 'A row knows this project: it is not without one any more' },
  not_adoptable: {
    status: 409,
    message:
      'Only the leftovers of an unfinished creation are there: they can be removed, not adopted',
  },
  name_taken: { status: 409, message: 'This name is already in use' },
  not_restoring: { status: 409, message: 'The project is not being restored' },
  backup_running: {
    status: 409,
    message: 'A backup of this project is being made: wait until it is done',
  },
  backup_not_completed: { status: 409, message: 'Only a completed backup can be used' },
  moment_not_covered: {
    status: 409,
    message: 'The archive of this project does not have this moment',
  },
  recovery_off: {
    status: 409,
    message: 'Point in time recovery is not switched on for this project',
  },
  compute_too_small: {
    status: 409,
    message: 'Point in time recovery needs the compute size Small or a larger one',
  },
  project_busy: { status: 409, message: 'The project is changing state, try again shortly' },
  last_owner: {
    status: 409,
    message: 'An organization needs an Owner: make somebody else one first',
  },
  last_role: {
    status: 409,
    message: 'This is the only role of this member; remove the member instead',
  },
  already_member: { status: 409, message: 'This person is a member already' },
  already_invited: {
    status: 409,
    message: 'An invitation to this address is open; send it again or revoke it',
  },
  invitation_expired: { status: 410, message: 'This invitation has expired; ask for a new one' },
  organization_not_empty: {
    status: 409,
    message: 'Delete the projects of this organization first',
  },
  organization_owes: {
    status: 409,
    message: 'Pay the open invoices of this organization first',
  },
  sso_exists: { status: 409, message: 'Single sign-on is set up already' },
  sso_domain_taken: { status: 409, message: 'Another organization owns this domain' },
  sso_record_missing: {
    status: 409,
    message: 'The DNS record is not there yet; it can take a while until everybody sees it',
  },
  storage_job_ended: { status: 409, message: 'This has ended already' },
  too_many_storage_jobs: {
    status: 409,
    message: 'As many changes of folders run already as can at once; wait until one has ended',
  },
  bucket_not_empty: { status: 409, message: 'Empty this bucket first' },
  bucket_private: { status: 409, message: 'This bucket is private: it has no public addresses' },
  function_exists: { status: 409, message: 'A function of this name exists already' },
  conflict: { status: 409, message: 'Someone else changed this in the meantime' },
  body_too_large: { status: 413, message: 'The request body is too large' },
  unsupported_media: { status: 415, message: 'Send the body as application/json' },
  ai_busy: { status: 429, message: 'The model has too much to do, try again shortly' },
  rate_limited: { status: 429, message: 'Too many requests, slow down' },
  invitation_limit: {
    status: 429,
    message: 'This organization has sent as many invitations as it can in one day',
  },
  internal: { status: 500, message: 'Something went wrong on our side' },
  ai_refused: {
    status: 502,
    message:
      "The model's provider refused the platform's key; whoever runs the platform has to check OPENAI_API_KEY",
  },
  ai_model_unknown: {
    status: 502,
    message:
      "The model's provider does not know the model; whoever runs the platform has to check OPENAI_MODEL",
  },
  ai_rejected: {
    status: 502,
    message: 'The model did not accept the question; it may be too long, start a new chat',
  },
  ai_unavailable: { status: 502, message: 'The model does not answer, try again shortly' },
  ai_not_configured: {
    status: 503,
    message: 'No model is configured; whoever runs the platform has to set OPENAI_API_KEY',
  },
  project_unreachable: { status: 503, message: 'The database of this project does not answer' },
  service_unavailable: { status: 503, message: 'The platform is not ready, try again shortly' },
  ai_timeout: { status: 504, message: 'The model took too long and was stopped' },
  upstream_timeout: { status: 504, message: 'The database did not answer in time' },
  disk_full: { status: 507, message: 'There is no room for this on the disk' },
} as const

export type ErrorCode = keyof typeof errors
export type ErrorBody = {
  code: ErrorCode
  message: string
  requestId: string
  /** Of mfa_required: the slug of the organization that asks, whose page says what to do. */
  organization?: string
}
