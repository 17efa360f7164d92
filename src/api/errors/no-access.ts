/** What a token without the right is told. With its dot: the interface of jobs puts none. */
export const noAccess = "you don't have access to the resource.";
