import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Says what stands in a topic. Arguments: brokers, topic, count of partitions, the name of a header.
 *
 * A line of standard input is a question, and its answer one line: "ends", answered by the stable end of each partition in order; "read",
 * answered by the partition, the offset and the header's text of each committed record below the stable ends, with commas
 * between them. All with tabs between them; "failed" and why when brokers do not answer in time. Ends with its input.
 */
public final class TopicWitness {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int TRIES_OF_A_READ = 60;

  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final String header;

  private TopicWitness(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions, String header) {
    this.consumer = consumer;
    this.partitions = partitions;
    this.header = header;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", arguments[0],
        "isolation.level", "read_committed",
        "enable.auto.commit", false,
        "request.timeout.ms", 5_000,
        "default.api.timeout.ms", 5_000,
        "reconnect.backoff.max.ms", 500);
    List<TopicPartition> partitions = IntStream.range(0, Integer.parseInt(arguments[2]))
        .mapToObj(partition -> new TopicPartition(arguments[1], partition))
        .toList();
    TopicWitness witness = new TopicWitness(
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()), partitions, arguments[3]);
    say(List.of("ready"));
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String question = input.readLine(); question != null; question = input.readLine()) say(witness.answer(question));
    System.exit(0);
  }

  private List<String> answer(String question) {
    try {
      return question.equals("read") ? read() : endsInOrder();
    } catch (RuntimeException thrown) {
      return List.of("failed", String.valueOf(thrown).replaceAll("\\s+", " "));
    }
  }

  private List<String> endsInOrder() {
    Map<TopicPartition, Long> ends = ends();
    return partitions.stream().map(partition -> String.valueOf(ends.get(partition))).toList();
  }

  private Map<TopicPartition, Long> ends() {
    return consumer.endOffsets(partitions, PATIENCE);
  }

  private List<String> read() {
    Map<TopicPartition, Long> ends = ends();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    List<String> found = new ArrayList<>();
    for (int tries = 0; !isAt(ends); tries += 1) {
      if (tries == TRIES_OF_A_READ) throw new IllegalStateException("the ends are not reached: " + ends);
      int before = found.size();
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) found.add(textOf(record));
      if (found.size() > before) tries = 0;
    }
    return found;
  }

  private boolean isAt(Map<TopicPartition, Long> ends) {
    return partitions.stream().allMatch(partition -> consumer.position(partition, PATIENCE) >= ends.get(partition));
  }

  private String textOf(ConsumerRecord<byte[], byte[]> record) {
    String text = "";
    for (Header one : record.headers())
      if (one.key().equalsIgnoreCase(header)) text = new String(one.value(), StandardCharsets.UTF_8);
    return record.partition() + "," + record.offset() + "," + text;
  }

  private static void say(List<String> parts) {
    System.out.println(parts.stream().collect(Collectors.joining("\t")));
    System.out.flush();
  }
}
