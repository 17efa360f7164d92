import type { JobRequest, JobValue } from './job.ts';

/** What is shown in place of a secret. */
export const hiddenValue = '[hidden]';

/** As people see it. */
export function shownValue({ name, value, isSecret }: JobValue): JobValue {
  return { name, value: isSecret === true ? hiddenValue : value };
}

/** A request whose job has ended: nobody needs the values of these variables any more, which were found to be secret. */
export function forgetSecrets(request: JobRequest, names: ReadonlySet<string>): JobRequest {
  if (names.size === 0) return request;
  const variableValues = request.variableValues.map((one): JobValue =>
    names.has(one.name) && one.isSecret !== true ? { ...one, value: '', isSecret: true } : one,
  );
  return { ...request, variableValues };
}
