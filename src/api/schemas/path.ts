import { z } from 'zod';

export const branchPath = z.object({
  branchId: z
    .string()
    .meta({ pattern: '^(default|[0-9]{1,15})$', description: '`default` or a positive integer.', example: 'default' }),
});

export const sourcePath = branchPath.extend({ sourceId: z.string().meta({ example: 'my-source' }) });

export const sinkPath = sourcePath.extend({ sinkId: z.string().meta({ example: 'my-sink' }) });

export const taskPath = z.object({
  taskId: z.string().meta({ description: 'The id as the task shows it; it holds slashes.' }),
});

export const tokenPath = z.object({ tokenId: z.string().meta({ description: 'A number.', example: '2' }) });

export const tablePath = z.object({ tableId: z.string().meta({ example: 'in.c-shop.orders' }) });

export const bucketPath = z.object({ bucketId: z.string().meta({ example: 'in.c-shop' }) });

export const filePath = z.object({ fileId: z.string().meta({ description: 'A number.', example: '17' }) });

export const jobPath = z.object({ jobId: z.string().meta({ description: 'A number.', example: '17' }) });
